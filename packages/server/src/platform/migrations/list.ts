import { baseLine } from './0001-base-line.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order. A released migration is never changed, only followed by another. */
export const migrations: readonly Migration[] = [{ name: 'base-line', sql: baseLine }];
