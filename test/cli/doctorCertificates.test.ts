/** `fieldgraph doctor` on certificates that some clients refuse: incomplete chains, short keys, no names. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeFindings, examine, fileWith } from './examineSetUp.js';

/** The key, the certificate, its intermediate authority and the root. */
const [key = '', own = '', intermediate = '', root = ''] = readParts('chainedCertificate.pem');

function readParts(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----\n/g) ?? [];
}

async function describeChain(...certificates: string[]): Promise<string> {
  const files = {
    TLS_CERT_FILE: fileWith('chain.pem', certificates.join('')),
    TLS_KEY_FILE: fileWith('chain.key', key),
  };
  return describeFindings(await examine(files), 'process.certificate');
}

describe('the chain of the certificate', () => {
  it('is complete with the intermediate authority, with or without the root', async () => {
    expect(await describeChain(own, intermediate)).not.toContain('TLS_CERT_FILE');
    expect(await describeChain(own, intermediate, root)).not.toContain('TLS_CERT_FILE');
    expect(await describeChain(`\uFEFF${own}`, intermediate)).not.toContain('TLS_CERT_FILE');
  });

  it('lacks the intermediate authority', async () => {
    expect(await describeChain(own)).toMatch(
      /warning: TLS_CERT_FILE does not contain the certificate of the issuer, Test intermediate,.*full chain/,
    );
  });

  it('has a wrong order or a gap', async () => {
    expect(await describeChain(own, root, intermediate)).toMatch(
      /warning: .*certificate 2 \(Test root\) did not issue certificate 1 \(localhost\).*first/,
    );
    expect(await describeChain(own, root)).toMatch(/certificate 2 \(Test root\) did not issue certificate 1/);
    expect(await describeChain(own, intermediate, own)).toMatch(
      /certificate 3 \(localhost\) did not issue certificate 2 \(Test intermediate\)/,
    );
  });
});

it('names a short key and the lack of names', async () => {
  const file = fileURLToPath(new URL('weakCertificate.pem', import.meta.url));
  const report = await examine({ TLS_CERT_FILE: file, TLS_KEY_FILE: file });
  const text = describeFindings(report, 'process.certificate');
  expect(text).toMatch(/2048 bits/);
  // Where OpenSSL refuses the short key, nothing else is checked.
  if (report.ok) expect(text).toMatch(/warning: .*no subject alternative name/);
});
