/** Sends a write, and has all that follows in the operation see what came of it. */
import type { Context } from '../context.js';

/** Also where it failed: it may have taken effect. */
export async function writeOnce(context: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } finally {
    context.bypassCaches();
  }
}
