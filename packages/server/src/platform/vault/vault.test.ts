import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadSecretKey, createSecretKey, loadSecretKey, parseSecretKey } from './secret-key.ts';
import { createVault } from './vault.ts';

const vault = createVault(randomBytes(32));
const field = { organizationId: 'org_1', rowId: 'srv_1', field: 'headers' };

describe('sealing', () => {
  test('opens to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => vault.open(vault.seal(text, field), field) === text,
      ),
    );
  });

  test.each([
    { ...field, organizationId: 'org_2' },
    { ...field, rowId: 'srv_2' },
    { ...field, field: 'clientSecret' },
  ])('a value moved to another place does not open: %o', (elsewhere) => {
    const sealed = vault.seal('secret', field);
    expect(() => vault.open(sealed, elsewhere)).toThrow();
  });

  test('no altered byte opens', () => {
    const sealed = vault.seal('secret', field);
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] as number) ^ 1;
      expect(() => vault.open(altered, field)).toThrow();
    }
  });

  test('another key does not open it', () => {
    const sealed = vault.seal('secret', field);
    expect(() => createVault(randomBytes(32)).open(sealed, field)).toThrow('another key');
  });

  test('the same text is sealed differently each time', () => {
    expect(vault.seal('a', field).equals(vault.seal('a', field))).toBe(false);
  });
});

describe('API keys', () => {
  test('an issued key is found again by its hash', () => {
    const issued = vault.apiKeys.issue();
    expect(issued.key).toMatch(/^sk_[A-Za-z0-9]{42}$/);
    expect(vault.apiKeys.hashOf(issued.key)?.equals(issued.hash)).toBe(true);
    expect(issued.key.startsWith(issued.start)).toBe(true);
  });

  test('a key with any character changed is refused without a look-up', () => {
    const { key } = vault.apiKeys.issue();
    for (let at = 0; at < key.length; at += 1) {
      const altered = `${key.slice(0, at)}${key[at] === 'a' ? 'b' : 'a'}${key.slice(at + 1)}`;
      expect(vault.apiKeys.hashOf(altered)).toBeUndefined();
    }
  });

  test('a key of another installation is refused', () => {
    expect(vault.apiKeys.hashOf(createVault(randomBytes(32)).apiKeys.issue().key)).toBeUndefined();
  });
});

describe('the secret key', () => {
  test.each([
    '',
    'short',
    Buffer.alloc(32).toString('base64'),
    'A'.repeat(43),
    '0123456789abcdef'.repeat(3),
    'correct-horse-battery-staple-and-more-words',
  ])('is refused when it is no good: %s', (text) => {
    expect(() => parseSecretKey(text, 'PROOFMARK_SECRET_KEY')).toThrow(BadSecretKey);
  });

  test('is made once with mode 600, and a file others can read is refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-key-'));
    try {
      const file = join(folder, 'secret.key');
      const first = createSecretKey(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(createSecretKey(file).equals(first)).toBe(true);
      const open = join(folder, 'open.key');
      writeFileSync(open, randomBytes(32).toString('base64'), { mode: 0o644 });
      expect(() => loadSecretKey(open)).toThrow('chmod 600');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a signature for one purpose is none for another', () => {
    const signature = vault.sign('cursor', 'text');
    expect(vault.verify('cursor', 'text', signature)).toBe(true);
    expect(vault.verify('csrf', 'text', signature)).toBe(false);
    expect(vault.verify('cursor', 'other', signature)).toBe(false);
  });
});
