import { expect, test } from 'vitest';
import { keyScopes, mayLaunchOwnText, operationEffects, scopeAllows } from './key-scopes.ts';

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

test('cases that come with a launch need a full key', () => {
  expect(keyScopes.filter(mayLaunchOwnText)).toEqual(['full']);
});
