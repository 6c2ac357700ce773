/**
 * API keys: `sk_`, 32 random characters, 10 of checksum. The checksum is keyed, so only this
 * installation can create a string that passes it, and garbage is rejected without a query. Only
 * the keyed hash of the whole is stored.
 */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { apiKeyPattern } from '@proofmark/domain';

export interface IssuedApiKey {
  readonly key: string;
  readonly hash: Buffer;
  /** Enough to distinguish keys in a list, far too little to use. */
  readonly start: string;
}

export interface ApiKeys {
  issue(): IssuedApiKey;
  /** Returns the hash to look up a presented key by; undefined if it cannot be one of ours. */
  hashOf(presented: string): Buffer | undefined;
}

export function createApiKeys(hashKey: Buffer, checksumKey: Buffer): ApiKeys {
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
