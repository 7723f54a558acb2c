/**
 * The bar above the editors: the credential of all tabs, the switch "Explain", and the open operation as link and
 * command.
 */
import { type ReactElement, type SyntheticEvent, useState, useSyncExternalStore } from 'react';
import type { CurlCommand } from './curlCommand.js';
import { session } from './session.js';
import { status } from './status.js';

interface BarProps {
  /** Whether the gateway refused the page's requests because they had no credential. */
  isRefused: boolean;
  /** Loads schema and examples again. Operations have the credential as soon as it is typed. */
  onCredential(): void;
  /** The address that opens the operation of the open tab. */
  createLink(): string;
  /**
   * The command that sends the operation of the open tab. Throws a `SyntaxError` if its variables or headers are not
   * JSON.
   */
  createCommand(): CurlCommand;
}

export function Bar({ isRefused, onCredential, createLink, createCommand }: BarProps): ReactElement {
  const [isExplaining, setExplaining] = useState(session.isExplaining());
  const [isApplied, setApplied] = useState(true);
  const note = useSyncExternalStore(status.subscribe, status.read);
  const apply = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    setApplied(true);
    onCredential();
  };
  // A message that is shown already would not be announced again, so that it is removed first.
  const share = async () => {
    status.set('');
    const link = createLink();
    try {
      await navigator.clipboard.writeText(link);
      status.set('Link copied.');
    } catch {
      window.history.replaceState(null, '', link);
      status.set('The link is in the address bar.');
    }
  };
  const copyCommand = async () => {
    status.set('');
    try {
      const { text, needsCredential } = createCommand();
      await copyOrPrompt(text);
      status.set(needsCredential ? 'Command copied. Set CREDENTIAL in the shell first.' : 'Command copied.');
    } catch (error) {
      status.set((error as SyntaxError).message);
    }
  };
  return (
    <header className="fieldgraph-bar">
      <form onSubmit={apply}>
        <label>
          Credential
          <input
            name="credential"
            type="password"
            autoComplete="off"
            placeholder="API key or token"
            defaultValue={session.credential()}
            onChange={({ target }) => {
              session.setCredential(target.value);
              setApplied(false);
            }}
          />
        </label>
        <button type="submit">Apply</button>
      </form>
      {isRefused && (
        <span role="alert">
          {isApplied ? 'This gateway needs a valid credential.' : 'Apply the credential to load the schema.'}
        </span>
      )}
      <label>
        <input
          type="checkbox"
          checked={isExplaining}
          onChange={({ target }) => {
            session.setExplaining(target.checked);
            setExplaining(target.checked);
          }}
        />
        Explain REST calls
      </label>
      <button type="button" onClick={share}>
        Copy link
      </button>
      <button type="button" onClick={copyCommand}>
        Copy as curl
      </button>
      <output>{note}</output>
      <span className="fieldgraph-hint">Enter opens an editor, Esc leaves it</span>
    </header>
  );
}

/** Browsers give pages access to the clipboard only over TLS or on loopback. */
async function copyOrPrompt(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    window.prompt('Copy the command:', text);
  }
}
