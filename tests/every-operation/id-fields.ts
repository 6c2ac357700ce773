import type { Operation } from '@proofmark/contract';
import type { TestService } from '@proofmark/harness/test-service.ts';
import type { Tenant } from '@proofmark/harness/two-tenants.ts';
import * as z from 'zod';

export interface Reference {
  id(service: TestService, tenant: Tenant): string | Promise<string>;
  body(service: TestService, mine: Tenant, id: string): object | Promise<object>;
  /** Returns path parameters for console operations that need more than the tenant has. */
  values?(service: TestService, mine: Tenant): Promise<Readonly<Record<string, string>>>;
  /** True if the answer has a result for each item of the batch. */
  readonly isInBatch?: true;
  /**
   * True if the object must also belong to the named suite. In this test, none of the tenant's
   * objects belongs to it.
   */
  readonly isOfSuite?: true;
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | boolean;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Returns the fields as paths. `[]` stands for an item of a list, `{}` for a value of a record. */
export function idFieldsOf(body: Operation['body']): string[] {
  if (body === undefined) return [];
  const found = new Set<string>();
  // A transformed field has a known shape only as input or only as output, so both are searched.
  for (const io of ['input', 'output'] as const) {
    const root = z.toJSONSchema(body, { io, unrepresentable: 'any' }) as Schema;
    walk(root, '', root.$defs ?? {}, [], found);
  }
  return [...found].sort();
}

function walk(
  schema: Schema,
  path: string,
  defs: Readonly<Record<string, Schema>>,
  inside: readonly Schema[],
  found: Set<string>,
): void {
  if (inside.includes(schema)) return;
  const within = [...inside, schema];
  const go = (next: Schema | boolean | undefined, at: string) => {
    if (typeof next === 'object') walk(next, at, defs, within, found);
  };
  if (schema.$ref !== undefined) go(defs[schema.$ref.split('/').at(-1) ?? ''], path);
  if (isText(schema) && isIdShaped(path, schema)) found.add(path);
  for (const [name, next] of Object.entries(schema.properties ?? {})) {
    go(next, path === '' ? name : `${path}.${name}`);
  }
  go(schema.items, `${path}[]`);
  go(schema.additionalProperties, `${path}{}`);
  for (const next of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    go(next, path);
  }
}

function isText({ type }: Schema): boolean {
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** Decides by the name of the field, or by the length limits of the service's ids. */
function isIdShaped(path: string, { minLength, maxLength }: Schema): boolean {
  const name =
    path
      .replace(/\[\]|\{\}/g, '')
      .split('.')
      .at(-1) ?? '';
  return /(^id|Ids?|^host|^servers?|^client)$/.test(name) || (minLength === 1 && maxLength === 128);
}
