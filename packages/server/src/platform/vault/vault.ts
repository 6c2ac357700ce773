/**
 * Encrypts values and computes keyed hashes. An encrypted value contains the id of its key and is
 * bound to its organization, row and field, so a copy in another row cannot be decrypted. During a
 * change of the secret key, values of both keys can be decrypted: see `useKeys`.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { apiKeyPattern } from '@proofmark/domain';
import {
  type DerivedKeys,
  deriveKeys,
  deriveLasting,
  keyIdLength,
  type LastingSecrets,
} from './derived-keys.ts';

export interface SealedField {
  readonly organizationId: string;
  readonly rowId: string;
  readonly field: string;
}

export interface Vault {
  seal(plain: string, field: SealedField): Buffer;
  /** Decrypts a value. Throws UnknownKey if the key of the value is not in use. */
  open(sealed: Uint8Array, field: SealedField): string;
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  readonly apiKeys: ApiKeys;
  /** The fingerprint of the key that signs. During a key change, that is the old key. */
  readonly fingerprint: string;
  /** The keys in use, in the order of `useKeys`. */
  readonly keys: readonly DerivedKeys[];
  readonly lasting: LastingSecrets;
  /**
   * Uses these keys: the first one encrypts, the last one signs, and all of them decrypt and
   * verify.
   */
  useKeys(keys: readonly [DerivedKeys, ...DerivedKeys[]]): void;
  useLasting(lasting: LastingSecrets): void;
}

export class UnknownKey extends Error {
  constructor() {
    super('A stored secret was sealed with another key.');
  }
}

export function createVault(secretKey: Buffer): Vault {
  let keys: readonly DerivedKeys[] = [deriveKeys(secretKey)];
  let lasting = deriveLasting(secretKey);
  let apiKeys = createApiKeys(lasting.apiKeyHash, lasting.apiKeyChecksum);
  const signing = () => keys.at(-1) as DerivedKeys;
  const signature = (key: DerivedKeys, purpose: string, text: string) =>
    createHmac('sha256', key.signing).update(`${purpose}\0${text}`).digest('base64url');

  return {
    seal: (plain, field) => seal(keys[0] as DerivedKeys, plain, field),
    open(sealed, field) {
      const bytes = Buffer.from(sealed);
      const id = bytes.subarray(1, 1 + keyIdLength);
      const key = keys.find((one) => one.id.equals(id));
      if (bytes[0] !== formatVersion || key === undefined) throw new UnknownKey();
      return open(key, bytes, field);
    },
    sign: (purpose, text) => signature(signing(), purpose, text),
    verify(purpose, text, given) {
      return keys.some((key) => isSame(given, signature(key, purpose, text)));
    },
    get apiKeys() {
      return apiKeys;
    },
    get fingerprint() {
      return signing().fingerprint;
    },
    get keys() {
      return keys;
    },
    get lasting() {
      return lasting;
    },
    useKeys(wanted) {
      keys = wanted;
    },
    useLasting(wanted) {
      lasting = wanted;
      apiKeys = createApiKeys(wanted.apiKeyHash, wanted.apiKeyChecksum);
    },
  };
}

const formatVersion = 1;
const nonceLength = 12;
const tagLength = 16;

function seal(key: DerivedKeys, plain: string, field: SealedField): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.sealing, nonce).setAAD(associatedData(field));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([formatVersion]), key.id, nonce, cipher.getAuthTag(), sealed]);
}

function open(key: DerivedKeys, bytes: Buffer, field: SealedField): string {
  const nonceAt = 1 + keyIdLength;
  const tagAt = nonceAt + nonceLength;
  const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(nonceAt, tagAt));
  decipher.setAAD(associatedData(field)).setAuthTag(bytes.subarray(tagAt, tagAt + tagLength));
  return (
    decipher.update(bytes.subarray(tagAt + tagLength), undefined, 'utf8') + decipher.final('utf8')
  );
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function associatedData(field: SealedField): Buffer {
  return Buffer.from([field.organizationId, field.rowId, field.field].join('\0'));
}

/**
 * An API key is `sk_`, 32 random characters and a checksum of 10 characters. The checksum is keyed,
 * so only this installation can create a string that passes it, and other strings are rejected
 * without a query. Only the keyed hash of the whole key is stored.
 */
interface IssuedApiKey {
  readonly key: string;
  readonly hash: Buffer;
  /** The start of the key: enough to distinguish keys in a list, far too little to use a key. */
  readonly start: string;
}

interface ApiKeys {
  issue(): IssuedApiKey;
  /** Returns the hash by which to look up a presented key; undefined if its checksum is wrong. */
  hashOf(presented: string): Buffer | undefined;
}

function createApiKeys(hashKey: Buffer, checksumKey: Buffer): ApiKeys {
  const checksum = (chance: string) =>
    createHmac('sha256', checksumKey).update(chance).digest('hex').slice(0, checksumLength);
  const hash = (key: string) => createHmac('sha256', hashKey).update(key).digest();
  return {
    issue() {
      const chance = Array.from({ length: chanceLength }, () => alphabet[randomInt(62)]).join('');
      const key = `sk_${chance}${checksum(chance)}`;
      return { key, hash: hash(key), start: key.slice(0, 9) };
    },
    hashOf(presented) {
      if (!apiKeyPattern.test(presented)) return undefined;
      const chance = presented.slice(3, 3 + chanceLength);
      const given = Buffer.from(presented.slice(3 + chanceLength));
      return timingSafeEqual(given, Buffer.from(checksum(chance))) ? hash(presented) : undefined;
    },
  };
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const chanceLength = 32;

const checksumLength = 10;
