import { describe, expect, test } from 'vitest';
import { readContentBlock, readResourceContents, safeHref, sizeWords } from './content-block.ts';

const pixel = 'iVBORw0KGgo=';

describe('what a server sent', () => {
  test('is drawn only as an image of a known raster type', () => {
    const drawn = readContentBlock({ type: 'image', data: pixel, mimeType: 'image/PNG' });
    expect(drawn).toMatchObject({ kind: 'image', dataUrl: `data:image/png;base64,${pixel}` });
    for (const mimeType of ['image/svg+xml', 'text/html', 'image/png;x="', '', 5]) {
      expect(readContentBlock({ type: 'image', data: pixel, mimeType }).kind).toBe('bytes');
    }
  });

  test('is no image when its data is not base64', () => {
    const block = { type: 'image', data: '"><script>', mimeType: 'image/png' };
    expect(readContentBlock(block)).toEqual({ kind: 'unknown', value: block });
  });

  test('sound is named by size and type', () => {
    const block = { type: 'audio', data: pixel, mimeType: 'audio/wav' };
    expect(readContentBlock(block)).toMatchObject({
      kind: 'bytes',
      sizeBytes: 8,
      mimeType: 'audio/wav',
    });
  });

  test.each([
    ['https://a.example/x y', 'https://a.example/x%20y'],
    ['http://a.example/', 'http://a.example/'],
    ['javascript:alert(1)', undefined],
    ['JavaScript\n:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
    ['//a.example', undefined],
    ['book://1', undefined],
  ])('the address %j leads to %j', (uri, href) => {
    expect(safeHref(uri)).toBe(href);
    expect(readContentBlock({ type: 'resource_link', uri, name: 'One' })).toMatchObject({ href });
  });

  test('embedded resources are texts or bytes', () => {
    const text = { type: 'resource', resource: { uri: 'a:b', text: '<b>' } };
    expect(readContentBlock(text)).toEqual({ kind: 'text', text: '<b>', uri: 'a:b' });
    const blob = { uri: 'file:///a/../évil name.pdf?x', blob: pixel };
    expect(readResourceContents(blob)).toMatchObject({
      kind: 'bytes',
      fileName: 'vil-name.pdf',
      mimeType: 'of no stated type',
    });
  });

  test.each([null, 5, 'text', [], {}, { type: 'text' }, { type: 'later' }])(
    '%j is shown as it is',
    (value) => {
      expect(readContentBlock(value)).toEqual({ kind: 'unknown', value });
    },
  );

  test('sizes have their unit', () => {
    expect([999, 1500, 2_500_000].map(sizeWords)).toEqual(['999 bytes', '1.5 kB', '2.5 MB']);
  });
});
