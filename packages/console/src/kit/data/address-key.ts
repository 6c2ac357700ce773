/**
 * The cache key of a response: the segments of its path, then an object with query and body. A key
 * whose last part is `{}` matches the path with any query. A key without that object matches
 * everything below the path.
 */
import type { InputOf } from '@proofmark/client';
import { type OperationId, requests } from '@proofmark/contract';

export type AddressKey = readonly unknown[];

export function keyOf<Id extends OperationId>(
  operation: Id,
  input: Partial<InputOf<Id>> = {},
): AddressKey {
  const { idempotencyKey: _, ...rest }: Record<string, unknown> = { ...input };
  const [, address = ''] = requests[operation].split(' ');
  const segments = address.split('/').slice(afterBasePath);
  const filled = segments.map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return segment;
    const { [name]: value } = rest;
    delete rest[name];
    return value;
  });
  return [...filled, rest];
}

export function allBelow<Id extends OperationId>(
  operation: Id,
  input: Partial<InputOf<Id>>,
): AddressKey {
  return keyOf(operation, input).slice(0, -1);
}

/**
 * Matches every list of the operation's resource, within its project or organization if it has one.
 */
export function listsOf<Id extends OperationId>(operation: Id, input: InputOf<Id>): AddressKey {
  const address = allBelow(operation, input);
  const isInside = ['projects', 'organizations'].includes(String(address[0])) && address.length > 2;
  return [...address.slice(0, isInside ? 3 : 1), {}];
}

/**
 * Number of segments to skip: `/api/v1/` and `/console/v1/` split into an empty segment and two
 * names.
 */
const afterBasePath = 3;
