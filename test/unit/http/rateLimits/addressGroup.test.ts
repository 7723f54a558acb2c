/** All addresses of one client count as one. */
import { expect, it } from 'vitest';
import { toAddressGroup } from '../../../../src/http/rateLimits/remoteAddress.js';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('the group of %s is %s', (address, group) => {
  expect(toAddressGroup(address)).toBe(group);
});
