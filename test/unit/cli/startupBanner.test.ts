/** The addresses of the startup banner can be opened as they are printed. */
import { expect, it } from 'vitest';
import { gatewayBanner } from '../../../src/cli/commands.js';

const platform = { url: 'http://127.0.0.1:4010', key: 'sandbox' };
const banner = (url: string) => gatewayBanner({ url, platform, isSandbox: true, isOpen: true });

it.each([
  ['http://0.0.0.0:4000', 'http://127.0.0.1:4000'],
  ['http://[::]:4000', 'http://[::1]:4000'],
  ['http://0.0.0.0:80', 'http://127.0.0.1:80'],
  ['https://[::]:443', 'https://[::1]:443'],
])('the startup banner prints loopback instead of %s, and that all interfaces are open', (url, address) => {
  expect(banner(url)).toContain(`Explorer   ${address}/\n`);
  expect(banner(url)).toContain(`curl ${address}/graphql`);
  expect(banner(url)).not.toContain(url);
  expect(banner(url)).toContain('It listens on all interfaces');
});

it.each(['http://127.0.0.1:4000', 'http://[::1]:4000', 'http://192.0.2.1:80'])(
  'the startup banner prints %s unchanged',
  (url) => {
    expect(banner(url)).toContain(`Explorer   ${url}/\n`);
    expect(banner(url)).not.toContain('all interfaces');
  },
);
