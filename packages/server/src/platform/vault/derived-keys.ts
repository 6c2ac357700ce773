import { hkdfSync } from 'node:crypto';

export interface DerivedKeys {
  readonly secretKey: Buffer;
  readonly sealing: Buffer;
  readonly signing: Buffer;
  /** The id of the key. Every value that the key encrypted begins with it. */
  readonly id: Buffer;
  /** Identifies a key without revealing it; stored in the database. */
  readonly fingerprint: string;
}

/**
 * Secrets that outlive the key from which they were derived: API keys are stored only as keyed
 * hashes, and all processes share one password of the database. After the first change of the key,
 * these secrets are stored, encrypted, in the database.
 */
export interface LastingSecrets {
  readonly apiKeyHash: Buffer;
  readonly apiKeyChecksum: Buffer;
  readonly databasePassword: Buffer;
}

export function deriveKeys(secretKey: Buffer): DerivedKeys {
  return {
    secretKey,
    sealing: derive(secretKey, 'seal'),
    signing: derive(secretKey, 'sign'),
    id: derive(secretKey, 'key id').subarray(0, keyIdLength),
    fingerprint: derive(secretKey, 'fingerprint').toString('hex').slice(0, 32),
  };
}

export function deriveLasting(secretKey: Buffer): LastingSecrets {
  return {
    apiKeyHash: derive(secretKey, 'api key hash'),
    apiKeyChecksum: derive(secretKey, 'api key checksum'),
    databasePassword: derive(secretKey, 'database password'),
  };
}

export function writeLasting(lasting: LastingSecrets): string {
  const texts = Object.entries(lasting).map(([name, value]) => [name, value.toString('base64')]);
  return JSON.stringify(Object.fromEntries(texts));
}

export function readLasting(text: string): LastingSecrets {
  const texts = Object.entries(JSON.parse(text) as Record<keyof LastingSecrets, string>);
  const values = texts.map(([name, value]) => [name, Buffer.from(value, 'base64')]);
  return Object.fromEntries(values) as unknown as LastingSecrets;
}

function derive(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'proofmark', purpose, 32));
}

export const keyIdLength = 4;
