/** The bar above the editors: the credential of all tabs, the switch "Explain", and a link to the open operation. */
import { type ReactElement, type SyntheticEvent, useState } from 'react';
import { session } from './session.js';

interface BarProps {
  /** Whether the gateway refused the page's requests because they had no credential. */
  isRefused: boolean;
  onCredential(): void;
  /** The address that opens the operation of the open tab. */
  createLink(): string;
}

export function Bar({ isRefused, onCredential, createLink }: BarProps): ReactElement {
  const [isExplaining, setExplaining] = useState(session.isExplaining());
  const [note, setNote] = useState('');
  const apply = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    session.setCredential(String(new FormData(event.currentTarget).get('credential') ?? ''));
    onCredential();
  };
  const share = async () => {
    const link = createLink();
    try {
      await navigator.clipboard.writeText(link);
      setNote('Link copied.');
    } catch {
      window.history.replaceState(null, '', link);
      setNote('The link is in the address bar.');
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
          />
        </label>
        <button type="submit">Apply</button>
      </form>
      {isRefused && <span role="alert">This gateway needs a valid credential.</span>}
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
      <output>{note}</output>
    </header>
  );
}
