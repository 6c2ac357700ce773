import { expect, test } from 'vitest';
import { keyScopes, operationEffects, scopeAllows } from './key-scopes.ts';

test('what each scope allows', () => {
  const allowed = keyScopes.map((scope) => [
    scope,
    ...operationEffects.filter((effect) => scopeAllows(scope, effect)),
  ]);
  expect(allowed).toEqual([
    ['full', 'reads', 'runs', 'writes'],
    ['run-only', 'reads', 'runs'],
    ['read-only', 'reads'],
  ]);
});
