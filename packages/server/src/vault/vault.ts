/**
 * Sealing and keyed hashing. Sealed values carry the id of their key and are bound to the
 * organization, the row and the field they belong to, so a value moved elsewhere does not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { type ApiKeys, createApiKeys } from './api-keys.ts';

export interface SealedField {
  readonly organizationId: string;
  readonly rowId: string;
  readonly field: string;
}

export interface Vault {
  seal(plain: string, field: SealedField): Buffer;
  open(sealed: Uint8Array, field: SealedField): string;
  /** A signature over text for a purpose; a signature for one purpose is none for another. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  readonly apiKeys: ApiKeys;
  /** Tells two keys apart without giving anything of them away; kept in the database. */
  readonly fingerprint: string;
}

export function createVault(secretKey: Buffer): Vault {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'proofmark', purpose, 32));
  const sealingKey = derive('seal');
  const signingKey = derive('sign');
  const keyId = derive('key id').subarray(0, keyIdLength);

  const sign = (purpose: string, text: string) =>
    createHmac('sha256', signingKey).update(`${purpose}\0${text}`).digest('base64url');

  return {
    seal(plain, field) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(associatedData(field));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([
        Buffer.from([formatVersion]),
        keyId,
        nonce,
        cipher.getAuthTag(),
        sealed,
      ]);
    },
    open(sealed, field) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== formatVersion || !bytes.subarray(1, 1 + keyIdLength).equals(keyId)) {
        throw new Error('A stored secret was sealed with another key.');
      }
      const nonceAt = 1 + keyIdLength;
      const tagAt = nonceAt + nonceLength;
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(nonceAt, tagAt));
      decipher.setAAD(associatedData(field)).setAuthTag(bytes.subarray(tagAt, tagAt + tagLength));
      return (
        decipher.update(bytes.subarray(tagAt + tagLength), undefined, 'utf8') +
        decipher.final('utf8')
      );
    },
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    apiKeys: createApiKeys(derive('api key hash'), derive('api key checksum')),
    fingerprint: derive('fingerprint').toString('hex').slice(0, 32),
  };
}

const formatVersion = 1;
const keyIdLength = 4;
const nonceLength = 12;
const tagLength = 16;

function associatedData(field: SealedField): Buffer {
  return Buffer.from([field.organizationId, field.rowId, field.field].join('\0'));
}
