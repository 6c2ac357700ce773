/**
 * Where an answer is kept: under the address it is read at, with its query and body at the end. So the key of a list finds
 * the list with every query, and nothing below it; the key without its end finds all that is read below the address.
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

/** All that is read at the address and below it. */
export function allBelow<Id extends OperationId>(
  operation: Id,
  input: Partial<InputOf<Id>>,
): AddressKey {
  return keyOf(operation, input).slice(0, -1);
}

/** The lists of the resource that an operation is about: of its project or organization, where it has one. */
export function listsOf<Id extends OperationId>(operation: Id, input: InputOf<Id>): AddressKey {
  const address = allBelow(operation, input);
  const isInside = ['projects', 'organizations'].includes(String(address[0])) && address.length > 2;
  return [...address.slice(0, isInside ? 3 : 1), {}];
}

/** `/api/v1/` and `/console/v1/`: an empty segment before the first slash, and two. */
const afterBasePath = 3;
