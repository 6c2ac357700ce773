import { expect, test } from 'vitest';
import {
  dropInvitation,
  hasSignInToken,
  heldInvitation,
  keepSignInToken,
  takeSignInToken,
} from './sign-in-token.ts';

function pageAt(address: string) {
  const url = new URL(address, 'http://127.0.0.1');
  const replaced: string[] = [];
  const history = {
    state: null,
    replaceState: (_state: unknown, _unused: string, next: string) => void replaced.push(next),
  };
  return { page: { location: url, history }, replaced };
}

test('the token leaves the address at once and can be taken once', () => {
  const { page, replaced } = pageAt('/sign-in?return=%2Fapi-keys#token=abc-123');
  keepSignInToken(page);
  expect(replaced).toEqual(['/sign-in?return=%2Fapi-keys']);
  expect(hasSignInToken()).toBe(true);
  expect(takeSignInToken()).toBe('abc-123');
  expect(takeSignInToken()).toBeUndefined();
});

test.each(['/sign-in', '/sign-in#token=', '/sign-in#other=1', '/reference#token=abc'])(
  'nothing is taken from %s',
  (address) => {
    const { page, replaced } = pageAt(address);
    keepSignInToken(page);
    expect(replaced).toEqual([]);
    expect(hasSignInToken()).toBe(false);
  },
);

test('an invitation leaves the address too, and is held until it is accepted', () => {
  const { page, replaced } = pageAt('/invitation#token=inv-456');
  keepSignInToken(page);
  expect(replaced).toEqual(['/invitation']);
  expect(hasSignInToken()).toBe(false);
  expect([heldInvitation(), heldInvitation()]).toEqual(['inv-456', 'inv-456']);
  dropInvitation();
  expect(heldInvitation()).toBeUndefined();
});
