/** Longer than an event takes on the busiest machine: it only prevents a broken test from running for ever. */
export const WAIT_MS = 60_000;

/** Options of `vi.waitFor`, whose own timeout is a second. */
export const WAIT = { timeout: WAIT_MS, interval: 50 };

/** A promise that the test fulfils. */
export function createGate(): { open(): void; opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
