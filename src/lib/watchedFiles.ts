/**
 * Small files whose changes take effect while the process runs. They are read at an interval, because a file
 * watcher would miss changes to mounted volumes, which replace folders and keep modification times.
 */
import { readFile } from 'node:fs/promises';
import { codeOf, messageOf } from './errorMessage.js';

interface WatchedFilesOptions {
  files: readonly string[];
  /** Uses the texts of the files, in their order. Throws if they are not usable. Called again when a text changed, and after a failure. */
  apply(texts: readonly string[]): void;
  /** Called after each `apply` that succeeded, except the first one of `watchFiles`. */
  onReload?(): void;
  /** Called once for each reason while changed files are not usable; the former texts stay in use. */
  onFailure(cause: unknown): void;
}

const RELOAD_INTERVAL_MS = 1000;

/** Without the byte order mark that editors on Windows add. Rejects with an error that names the file. */
export async function readTextFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EISDIR') throw error;
    throw Object.assign(new Error(`${file} is a directory`), { code });
  }
}

/** Resolves after the first `apply`. Rejects with its error, or with that of reading. */
export async function watchFiles(options: WatchedFilesOptions): Promise<{ close(): void }> {
  const texts = await readTextFiles(options.files);
  options.apply(texts);
  return rereadFiles(options, texts);
}

/** `firstTexts` were applied before. Without them, the first texts are applied after an interval. */
export function rereadFiles(
  { files, apply, onReload, onFailure }: WatchedFilesOptions,
  firstTexts: readonly string[] = [],
): { close(): void } {
  let texts = firstTexts;
  let lastReason = '';

  async function reload(): Promise<void> {
    try {
      const current = await readTextFiles(files);
      const hasChanged = current.some((text, index) => text !== texts[index]);
      if (!hasChanged && lastReason === '') return;
      apply(current);
      texts = current;
      lastReason = '';
      onReload?.();
    } catch (cause) {
      const reason = messageOf(cause);
      if (reason !== lastReason) onFailure(cause);
      lastReason = reason;
    }
  }

  const timer = setInterval(() => void reload(), RELOAD_INTERVAL_MS).unref();
  return { close: () => clearInterval(timer) };
}

function readTextFiles(files: readonly string[]): Promise<string[]> {
  return Promise.all(files.map(readTextFile));
}
