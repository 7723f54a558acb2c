import { it } from 'vitest';
import { startFaultGateway } from '../support/faultGateway.js';
it('probe', async () => {
  const g = await startFaultGateway();
  await g.ask('{ users { totalCount } }');
  g.sandbox.calls.reset();
  g.sandbox.faults.add({ match: '/v2.0/site', hangBeforeHeaders: true });
  g.sandbox.faults.add({ match: '/auth/token', hangBeforeHeaders: true });
  g.sandbox.faults.add({ match: '/v2.0/device', latencyMs: 10000 });
  let t = performance.now();
  const [a, b] = await Promise.all([g.ask('{ sites { totalCount } }').then(x => [performance.now()-t, x]), g.ask('{ devices { totalCount } }').then(x => [performance.now()-t, x])]);
  console.log(JSON.stringify(a), JSON.stringify(b), g.sandbox.calls.list().map(c => c.pathTemplate));
  g.clock.skip(86_400_000); g.sandbox.calls.reset(); t = performance.now();
  console.log(JSON.stringify(await g.ask('{ users { totalCount } }')), performance.now()-t, g.sandbox.calls.list().map(c => c.pathTemplate));
  await g.stop();
}, 90_000);
