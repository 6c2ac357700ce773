import { leftOutOf, switchedOffOf } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { leftOutSentences } from '../left-out-sentence.ts';
import { plainSentence } from '../write-text.ts';

const tools = (...names: string[]) => names.map((name) => ({ name }));
const shop = {
  name: 'Shop',
  tools: [...tools('get_order', 'cancel_order', 'send_mail'), null, {}],
};

test('tools held for writing are left out unless they are named, and none is without a policy', () => {
  const stated = { switchedOff: undefined, servers: [shop] };
  expect(leftOutOf({ ...stated, allowWrites: undefined })).toBeUndefined();
  expect(leftOutOf({ ...stated, allowWrites: ['cancel_order', 'send_mail'] })).toBeUndefined();
  expect(leftOutOf({ ...stated, allowWrites: ['send_mail'] })).toEqual({
    tools: {
      total: 1,
      items: [
        {
          serverName: 'Shop',
          toolName: 'cancel_order',
          reason: 'not annotated readOnlyHint: true, and its name says cancel',
        },
      ],
    },
  });
});

test('a name in allowWrites that no server listed is told, and only where all lists were seen', () => {
  const stated = {
    switchedOff: undefined,
    allowWrites: ['cancel_oder', 'cancel_order', 'send_mail'],
  };
  const unlisted = { total: 1, toolNames: ['cancel_oder'] };
  expect(leftOutOf({ ...stated, servers: [shop] })).toEqual({ unlisted });
  const unseen = { name: 'New', tools: undefined };
  expect(leftOutOf({ ...stated, servers: [shop, unseen] })).toBeUndefined();
  expect(leftOutOf({ ...stated, servers: [] })).toBeUndefined();
});

test('the first of many are named, and all are counted', () => {
  const many = Array.from({ length: 30 }, (_, at) => `delete_${at}`);
  const servers = [{ name: 'Shop', tools: tools(...many) }];
  const found = leftOutOf({ switchedOff: switchedOffOf(many), allowWrites: [], servers });
  expect(found).toMatchObject({ cases: { total: 30 }, tools: { total: 30 } });
  expect([found?.cases?.titles, found?.tools?.items].map((list) => list?.length)).toEqual([20, 20]);
  expect(switchedOffOf([])).toBeUndefined();
});

describe('in words', () => {
  const sentencesOf = (given: Parameters<typeof leftOutOf>[0]) =>
    leftOutSentences(leftOutOf(given)).map((one) => plainSentence(one, false));

  test('cases and tools are told apart, with how to allow a tool', () => {
    const servers = [shop];
    expect(
      sentencesOf({ switchedOff: switchedOffOf(['Refunds']), allowWrites: [], servers }),
    ).toEqual([
      'Left out: 1 case switched off: Refunds.',
      'Left out: 2 tools held for writing: cancel_order and send_mail; allowWrites allows tools by name.',
    ]);
    expect(sentencesOf({ switchedOff: undefined, allowWrites: undefined, servers })).toEqual([]);
  });

  test('a tool of which a call was refused is told with that, and one for widgets alone not at all', () => {
    const panel = { name: 'delete_panel', _meta: { ui: { visibility: ['app'] } } };
    const servers = [{ ...shop, tools: [...shop.tools, panel] }];
    const leftOut = leftOutOf({ switchedOff: undefined, allowWrites: [], servers });
    const refused = {
      serverName: 'Shop',
      toolName: 'send_mail',
      by: 'allowWrites',
      calls: 1,
      trials: 1,
    };
    const sentences = leftOutSentences(leftOut, [refused as never]).map((one) =>
      plainSentence(one, false),
    );
    expect(sentences).toEqual([
      'Left out: 1 tool held for writing: cancel_order; allowWrites allows tools by name.',
    ]);
  });

  test('a name that no server listed is a warning', () => {
    const stated = { switchedOff: undefined, servers: [shop] };
    const allowWrites = ['cancel_order', 'send_mail', 'cancel_oder'];
    expect(sentencesOf({ ...stated, allowWrites })).toEqual([
      'Warning: allowWrites names 1 tool that no server listed: cancel_oder; correct or remove the name.',
    ]);
    expect(sentencesOf({ ...stated, allowWrites: [...allowWrites, 'mail'] })).toEqual([
      'Warning: allowWrites names 2 tools that no server listed: cancel_oder and mail; correct or remove the names.',
    ]);
  });

  test('what is not named is counted', () => {
    const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(
      sentencesOf({ switchedOff: switchedOffOf(titles), allowWrites: [], servers: [] }),
    ).toEqual(['Left out: 7 cases switched off: a, b, c, d, e and 2 more.']);
  });
});
