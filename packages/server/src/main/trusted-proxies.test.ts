import { expect, test } from 'vitest';
import { BadSetting } from './setting.ts';
import { resolveSettings } from './settings.ts';

const proxies = (text: string) => () =>
  resolveSettings({}, { PROOFMARK_TRUSTED_PROXIES: text }).settings.trustedProxies;

test('trusted proxies are kept as they were written', () => {
  expect(proxies('127.0.0.1, 10.0.0.0/8,fd12::/16')()).toEqual([
    ...['127.0.0.1', '10.0.0.0/8', 'fd12::/16'],
  ]);
  expect(resolveSettings({}, {}).settings.trustedProxies).toEqual([]);
});

test.each(['proxy.example', '10.0.0.1,10.0.0.0/33', '', '10.0.0.1/8'])('%j is refused', (text) => {
  expect(proxies(text)).toThrow(BadSetting);
  expect(proxies(text)).toThrow('PROOFMARK_TRUSTED_PROXIES');
});
