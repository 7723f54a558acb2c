/** `npm run example`, or `npm run example -- react`: builds an example, and serves it with a year of sandbox data. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const name = process.argv[2] ?? 'dashboard';
if (!['dashboard', 'react'].includes(name)) {
  process.stderr.write(`There is no example ${name}. There are: dashboard, react.\n`);
  process.exit(1);
}
const port = process.env.PORT ?? '4000';
process.env.GATEWAY_URL = `http://127.0.0.1:${port}`;
const root = fileURLToPath(new URL(`../examples/${name}/`, import.meta.url));
const configFile = fileURLToPath(new URL('../examples/vite.config.ts', import.meta.url));

await build({ root, configFile });
const server = await preview({
  root,
  configFile,
  preview: { port: Number(process.env.EXAMPLE_PORT ?? 4100) },
});
const address = server.resolvedUrls?.local[0] ?? '';
const gateway = spawn(process.execPath, [fileURLToPath(new URL('../dist/main.js', import.meta.url))], {
  env: { SANDBOX_DAYS: '365', ...process.env, PORT: port },
  stdio: ['ignore', 'ignore', 'inherit'],
});
gateway.on('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => gateway.kill(signal));
process.stdout.write(`The example is at ${address}\nThe gateway is at ${process.env.GATEWAY_URL}/\n`);
