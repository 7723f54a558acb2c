/** A gateway that was ready stays ready in an outage, unless the platform refuses its credential. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultSandbox, withFaultGateway } from '../../support/rest/faultGateway.js';
import { createGate } from '../../support/waiting.js';

const TWO_DAYS_MS = 2 * 86_400_000;

it('is ready while the platform is down, also when the token has expired', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, statusOf }) => {
    expect(await statusOf('/readyz')).toBe(200);
    await sandbox.close();
    clock.skip(TWO_DAYS_MS);
    expect(await statusOf('/readyz')).toBe(200);
    const port = Number(new URL(sandbox.url).port);
    const refusing = await startFaultSandbox({ port, clock, secret: 'another' });
    try {
      clock.skip(TWO_DAYS_MS);
      expect(await statusOf('/readyz')).toBe(503);
    } finally {
      await refusing.close();
    }
  });
});

it('is ready while the platform does not respond, long before the timeout of a call', async () => {
  await withFaultGateway({}, async ({ sandbox, clock, statusOf }) => {
    expect(await statusOf('/readyz')).toBe(200);
    const { open: respond, opened: until } = createGate();
    sandbox.faults.add({ match: '/auth/token', until });
    clock.skip(TWO_DAYS_MS);
    // A call has a timeout of 15 s.
    expect(await Promise.race([statusOf('/readyz'), sleep(10_000)])).toBe(200);
    respond();
    expect(await statusOf('/readyz')).toBe(200);
  });
});
