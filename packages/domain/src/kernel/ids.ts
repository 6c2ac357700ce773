/**
 * Ids are a short prefix that names the kind, then 26 characters of Crockford base 32: 48 bits of
 * time and 80 bits of chance. They sort by time, which keeps index pages warm, and cannot be guessed.
 */
export const idPrefixes = {
  account: 'acc',
  apiKey: 'key',
  chatSession: 'cht',
  evalSuite: 'ste',
  organization: 'org',
  project: 'prj',
  server: 'srv',
} as const;

export type IdKind = keyof typeof idPrefixes;

export function makeId(kind: IdKind, nowMs: number, randomBytes: Uint8Array): string {
  if (randomBytes.length < 10) throw new RangeError('An id needs ten random bytes.');
  let value = BigInt(Math.max(0, Math.floor(nowMs)) % 2 ** 48);
  for (const byte of randomBytes.subarray(0, 10)) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let position = 0; position < 26; position += 1) {
    text = (alphabet[Number(value & 31n)] as string) + text;
    value >>= 5n;
  }
  return `${idPrefixes[kind]}_${text}`;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
