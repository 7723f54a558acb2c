/** What every resolver of one operation is given. */
import type { Sources } from '../sources/sources.js';

export interface Context {
  sources: Sources;
  /** Names this request in answers and log lines. */
  requestId: string;
}
