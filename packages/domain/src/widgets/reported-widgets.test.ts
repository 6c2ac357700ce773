import { expect, test } from 'vitest';
import { reportedWidgetBounds, reportedWidgets } from './reported-widgets.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const read = (...widgetSnapshots: unknown[]) => reportedWidgets({ widgetSnapshots }, {});

test('what published tools report is read as far as it says something', () => {
  const snapshot = {
    toolCallId: 'call_1',
    toolName: 'book_table',
    protocol: 'mcp-apps',
    serverId: 'restaurant',
    resourceUri: 'ui://book/table.html',
    toolMetadata: {},
    widgetCsp: null,
    widgetHtml: '<script>alert(1)</script>',
  };
  expect(read(snapshot)).toEqual([
    {
      toolName: 'book_table',
      serverName: 'restaurant',
      toolCallId: 'call_1',
      promptIndex: null,
      status: null,
      elapsedMs: null,
      message: 'Reported as ui://book/table.html, 25 characters of HTML, which are not shown.',
      consoleLines: [],
      pictures: [],
    },
  ]);
  const seen = { status: 'rendered', elapsedMs: 120.4, promptIndex: 1, consoleErrors: ['No!'] };
  expect(read({ toolName: 'x', ...seen })[0]).toMatchObject({
    status: 'rendered',
    elapsedMs: 120,
    promptIndex: 1,
    message: null,
    consoleLines: [{ level: 'error', text: 'No!', atMs: 0 }],
  });
});

test('how long one took that was not rendered is not taken for the time in which it was', () => {
  const broken = { toolName: 'x', status: 'render_error', elapsedMs: 120 };
  expect(read(broken)[0]).toMatchObject({ status: 'render_error', elapsedMs: null });
});

test('those of a trace are read where the trial names none', () => {
  expect(reportedWidgets({}, { widgetSnapshots: [{ toolName: 'x' }] })).toHaveLength(1);
  expect(reportedWidgets({}, {})).toEqual([]);
});

test.each([
  ['another kind', `data:image/svg+xml;base64,${png}`],
  ['a page', 'data:text/html;base64,PGgxPkhpPC9oMT4='],
  ['an address', 'https://elsewhere.example/picture.png'],
  ['bytes of something else', `data:image/png;base64,${btoa('<html>'.repeat(20))}`],
  ['no base64', 'data:image/png;base64,abc'],
  ['too many bytes', `data:image/png;base64,${'A'.repeat(reportedWidgetBounds.pictureBytes * 2)}`],
  ['too many pixels', `data:image/png;base64,${huge()}`],
  ['a number', 1],
])('%s is no picture', (_, screenshot) => {
  expect(read({ toolName: 'x', screenshot })[0]?.pictures).toEqual([]);
});

test('a PNG is one', () => {
  const [widget] = read({ toolName: 'x', screenshot: `data:image/png;base64,${png}` });
  expect(widget?.pictures).toMatchObject([{ width: 1, height: 1 }]);
});

test('what is no snapshot, or too much, breaks nothing', () => {
  expect(reportedWidgets({ widgetSnapshots: 'x' }, { widgetSnapshots: 7 })).toEqual([]);
  expect(read(null, 1, [], { toolName: 7, consoleLines: 'x', status: 'fine' })).toMatchObject([
    { toolName: '', status: null, consoleLines: [] },
  ]);
  expect(read(...Array.from({ length: 500 }, () => ({ toolName: 'x' })))).toHaveLength(50);
  const [long] = read({
    toolName: 'x'.repeat(10_000),
    message: 'y'.repeat(10_000),
    consoleLines: Array.from({ length: 1000 }, () => ({ text: 'z'.repeat(10_000) })),
  });
  expect(JSON.stringify(long).length).toBeLessThan(250_000);
});

function huge(): string {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  bytes.set([0, 0, 255, 255, 0, 0, 255, 255], 16);
  return btoa(String.fromCharCode(...bytes));
}
