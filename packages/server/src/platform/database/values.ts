/**
 * Converts values for PostgreSQL and back. All values travel as text, except bytes on their way to
 * PostgreSQL.
 */

export type SqlParameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly string[]
  | readonly number[]
  | Json;

export class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

/**
 * PostgreSQL's OIDs of the types that are stated for parameters. PostgreSQL infers the types of all
 * other parameters.
 */
const typeOf = { boolean: 16, bytes: 17, bigint: 20, moment: 1184, json: 3802 };

export interface WrittenParameter {
  readonly type: number;
  readonly value: string | Buffer | null;
}

export function writeParameter(value: unknown): WrittenParameter {
  switch (typeof value) {
    case 'string':
      return { type: 0, value };
    case 'number':
      return { type: 0, value: String(value) };
    case 'boolean':
      return { type: typeOf.boolean, value: value ? 't' : 'f' };
    case 'bigint':
      return { type: typeOf.bigint, value: String(value) };
  }
  if (value === null) return { type: 0, value: null };
  if (value instanceof Date) return { type: typeOf.moment, value: value.toISOString() };
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { type: typeOf.bytes, value: bytes };
  }
  if (value instanceof Json) return { type: typeOf.json, value: value.text };
  if (Array.isArray(value)) return { type: 0, value: writeArray(value) };
  // An undefined value is usually a forgotten field, so it is rejected. An intended null must be
  // passed as null.
  throw new TypeError(`A parameter of a statement cannot be of type ${typeof value}.`);
}

export type ReadColumn = (text: string) => unknown;

const toNumber: ReadColumn = (text) => Number(text);
const toDate: ReadColumn = (text) => new Date(text);
const toDocument: ReadColumn = (text) => JSON.parse(text);

/**
 * How columns are read, by PostgreSQL's type number. All other types stay text, even 8-byte
 * integers, which a JavaScript number cannot represent.
 */
const readers = new Map<number, ReadColumn>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [21, toNumber],
  [23, toNumber],
  [26, toNumber],
  [700, toNumber],
  [701, toNumber],
  [114, toDocument],
  [3802, toDocument],
  [1082, toDate],
  [1114, toDate],
  [1184, toDate],
  [1009, readTextArray],
]);

export interface Column {
  readonly name: string;
  readonly read: ReadColumn | undefined;
}

export function columnOf(field: { readonly name: string; readonly dataTypeID: number }): Column {
  return { name: camelCased(field.name), read: readers.get(field.dataTypeID) };
}

function camelCased(name: string): string {
  return name.replace(/(?!^)_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Writes a list as PostgreSQL does. Quotes are allowed around numbers too, so all elements are
 * written alike.
 */
function writeArray(elements: readonly (string | number)[]): string {
  return `{${elements.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function readTextArray(array: string): string[] {
  return [...array.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|[^,"]+/gs)].map(([whole, quoted]) =>
    quoted === undefined ? whole : quoted.replace(/\\(.)/gs, '$1'),
  );
}
