import { baseLine } from './0001-base-line.ts';

/** In order; a migration that has been released is never changed, only followed by another. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: 'base-line', sql: baseLine },
];
