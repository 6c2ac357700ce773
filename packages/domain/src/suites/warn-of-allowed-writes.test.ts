import { expect, test } from 'vitest';
import { warnOfAllowedWrites } from './warn-of-allowed-writes.ts';

const shop = { name: 'Shop', tools: new Set(['get_order', 'cancel_order']) };
const mail = { name: 'Mail', tools: new Set(['send_mail']) };
const warned = (allowWrites: string[] | undefined, ...servers: Parameters<typeof warningsOf>[1]) =>
  warningsOf(allowWrites, servers);

function warningsOf(
  allowWrites: string[] | undefined,
  servers: readonly { name: string; tools: ReadonlySet<string> | undefined }[],
) {
  return warnOfAllowedWrites({ path: 'body.settings.allowWrites', allowWrites }, servers);
}

test('a name that no server lists is named where it is stated, once', () => {
  expect(warned(['send_mail', 'cancel_oder', 'cancel_oder'], shop, mail)).toEqual([
    {
      path: 'body.settings.allowWrites[1]',
      code: 'TOOL_NOT_LISTED',
      message:
        'allowWrites names "cancel_oder", and no server of the suite lists a tool of this name, so it allows nothing; correct the name or remove it.',
    },
  ]);
});

test('a tool that any of the servers lists is not warned of', () => {
  expect(warned(['send_mail', 'cancel_order', 'get_order'], shop, mail)).toEqual([]);
  expect(warned([], shop)).toEqual([]);
  expect(warned(undefined, shop)).toEqual([]);
});

test('where a server was never seen to list its tools, nothing is said', () => {
  expect(warned(['cancel_oder'], shop, { name: 'New', tools: undefined })).toEqual([]);
  expect(warned(['cancel_oder'])).toEqual([]);
  const unknown = { path: 'settings.allowWrites', allowWrites: ['cancel_oder'] };
  expect(warnOfAllowedWrites(unknown, undefined)).toEqual([]);
});

test('at most twenty are named', () => {
  const many = Array.from({ length: 30 }, (_, at) => `no_${at}`);
  expect(warned(many, shop)).toHaveLength(20);
});
