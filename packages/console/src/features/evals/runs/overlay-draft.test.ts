import { expect, test } from 'vitest';
import { draftOfTool, draftsOfOverlay, listedTools, overlayOfDrafts } from './overlay-draft.ts';

const inputSchema = { type: 'object', properties: { order: {}, note: {} } };
const listed = listedTools([
  { serverName: 'Shop', tools: [{ name: 'refund', description: 'Pays back.', inputSchema }] },
  { serverName: 'Post', tools: [{ name: 'track' }] },
  { serverName: null, tools: [{ name: 'lost' }] },
]);
const [refund, track] = listed.map((tool) => draftOfTool(tool));
if (refund === undefined || track === undefined) throw new Error('Two tools are listed.');

test('only tools of servers with a name can be chosen', () => {
  expect(listed.map(({ name }) => name)).toEqual(['refund', 'track']);
  expect(refund.tool.parameters).toEqual(['order', 'note']);
});

test('what is as the server lists it is no overlay', () => {
  expect(overlayOfDrafts([refund, track])).toBeUndefined();
  const same = { ...refund, rename: { order: 'order', note: '  ' } };
  expect(overlayOfDrafts([same])).toBeUndefined();
});

test('only what differs is said, server by server', () => {
  const changed = { ...refund, description: 'Pays money back.', rename: { order: ' orderId ' } };
  expect(overlayOfDrafts([changed, { ...track, hidden: true, title: 'Track' }])).toEqual({
    servers: [
      {
        serverName: 'Shop',
        tools: [{ name: 'refund', description: 'Pays money back.', rename: { order: 'orderId' } }],
      },
      { serverName: 'Post', tools: [{ name: 'track', hidden: true }] },
    ],
  });
});

test('an overlay that is there comes back as it was, without tools that are gone', () => {
  const tool = { name: 'refund', description: '', annotations: { readOnlyHint: true } };
  const overlay = { servers: [{ serverName: 'Shop', tools: [tool, { name: 'gone' }] }] };
  expect(overlayOfDrafts(draftsOfOverlay(overlay, listed))).toEqual({
    servers: [{ serverName: 'Shop', tools: [tool] }],
  });
});
