import type { ProjectServer } from '@proofmark/contract';
import { describe, expect, test } from 'vitest';
import { droppedCredentials } from './dropped-credentials.ts';
import { addRow, headersOf, rowsFor } from './header-rows.ts';
import { createBody, draftOf, emptyDraft, updateBody } from './server-draft.ts';

const stored: ProjectServer = {
  id: 'srv_1',
  projectId: 'prj_1',
  name: 'checkout',
  enabled: true,
  transportType: 'http',
  url: 'https://mcp.example.com/mcp',
  timeout: 5000,
  maxMessageMiB: null,
  clientCapabilities: null,
  useOAuth: true,
  oauthScopes: ['read', 'write'],
  oauthResourceUrl: null,
  clientId: 'abc',
  hasClientSecret: true,
  headerNames: ['Authorization', 'X-Tenant'],
  createdAt: 0,
  updatedAt: 0,
};
const row = (key: number, name: string, value: string) => ({ key, name, value });

describe('header rows', () => {
  test('rows become one object and wholly empty rows do not count', () => {
    const { headers, problems } = headersOf([
      row(1, ' A ', 'x y'),
      row(2, '', ''),
      row(3, 'B', 'z'),
    ]);
    expect(headers).toEqual({ A: 'x y', B: 'z' });
    expect(problems).toEqual({});
  });

  test('a missing name, a missing value and a repeated name are told', () => {
    const { problems } = headersOf([
      row(1, '', 'x'),
      row(2, 'B', ''),
      row(3, 'a', '1'),
      row(4, 'A', '2'),
    ]);
    expect(Object.keys(problems)).toEqual(['headers.', 'headers.B', 'headers.A']);
  });

  test('a header called __proto__ is a header like any other', () => {
    expect(Object.keys(headersOf([row(1, '__proto__', 'x')]).headers)).toEqual(['__proto__']);
  });

  test('a new row never takes the key of one that stands', () => {
    const rows = addRow(rowsFor(['a', 'b', 'c']).slice(1));
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });
});

describe('a new server', () => {
  test('sends only what was filled in', () => {
    expect(createBody({ ...emptyDraft, name: ' one ', url: ' https://a.example/mcp ' })).toEqual({
      body: { name: 'one', enabled: true, transportType: 'http', url: 'https://a.example/mcp' },
    });
  });

  test('leaves OAuth fields out while OAuth is off', () => {
    const draft = { ...draftOf(stored), headers: [], useOAuth: false, clientSecret: 's' };
    expect(createBody(draft)).toEqual({
      body: expect.not.objectContaining({ clientId: 'abc', clientSecret: 's' }),
    });
  });

  test('tells every missing field at once', () => {
    expect(createBody({ ...emptyDraft, timeout: 'soon', maxMessageMiB: '33' })).toEqual({
      problems: {
        maxMessageMiB: expect.stringContaining('32'),
        name: expect.any(String),
        url: expect.any(String),
        timeout: expect.any(String),
      },
    });
  });
});

describe('an edit', () => {
  test('changes the largest message, and leaves it to the default again', () => {
    const larger = { ...draftOf(stored), maxMessageMiB: ' 8 ' };
    expect(updateBody(larger, stored)).toEqual({ body: { maxMessageMiB: 8 } });
    const allowed = { ...stored, maxMessageMiB: 8 };
    expect(updateBody(draftOf(allowed), allowed)).toEqual({ body: {} });
    expect(updateBody(draftOf(stored), allowed)).toEqual({ body: { maxMessageMiB: null } });
    expect(createBody({ ...larger, headers: [] })).toMatchObject({ body: { maxMessageMiB: 8 } });
  });

  test('that changes nothing sends nothing', () => {
    expect(updateBody(draftOf(stored), stored)).toEqual({ body: {} });
  });

  test('sends only the fields that differ', () => {
    const draft = { ...draftOf(stored), name: 'cart', scopes: 'read, write admin' };
    expect(updateBody(draft, stored)).toEqual({
      body: { name: 'cart', oauthScopes: ['read', 'write', 'admin'] },
    });
  });

  test('keeps stored headers unless they are replaced, and can remove them all', () => {
    expect(updateBody({ ...draftOf(stored), headers: [] }, stored)).toEqual({
      body: { headers: {} },
    });
    const plain = { ...stored, headerNames: [] };
    expect(updateBody({ ...draftOf(plain), headers: [] }, plain)).toEqual({ body: {} });
  });

  test('replacing headers asks for every value again', () => {
    const draft = { ...draftOf(stored), headers: rowsFor(stored.headerNames) };
    expect(updateBody(draft, stored)).toEqual({
      problems: {
        'headers.Authorization': expect.any(String),
        'headers.X-Tenant': expect.any(String),
      },
    });
  });

  test('removes the secret when told, whatever was typed', () => {
    const draft = { ...draftOf(stored), clientSecret: 'new', removeClientSecret: true };
    expect(updateBody(draft, stored)).toEqual({ body: { clearClientSecret: true } });
  });

  test('clears what was emptied', () => {
    const draft = { ...draftOf(stored), timeout: '', clientId: ' ' };
    expect(updateBody(draft, stored)).toEqual({ body: { timeout: null, clientId: null } });
  });
});

describe('the warning about another origin', () => {
  const moved = { ...draftOf(stored), url: 'https://other.example.com/mcp' };

  test('names all that would be dropped', () => {
    expect(droppedCredentials(moved, stored)).toEqual(['2 headers', 'client secret']);
  });

  test('is not given for another path, a half-typed address or a server that stores nothing', () => {
    const another = { ...moved, url: 'https://mcp.example.com/other' };
    expect(droppedCredentials(another, stored)).toEqual([]);
    expect(droppedCredentials({ ...moved, url: 'https:/' }, stored)).toEqual([]);
    const bare = { ...stored, headerNames: [], hasClientSecret: false };
    expect(droppedCredentials(moved, bare)).toEqual([]);
  });

  test('leaves out what the same edit replaces or removes', () => {
    const replaced = { ...moved, headers: [row(1, 'A', 'b')], clientSecret: 'new' };
    expect(droppedCredentials(replaced, stored)).toEqual([]);
    expect(droppedCredentials({ ...moved, removeClientSecret: true }, stored)).toEqual([
      '2 headers',
    ]);
  });

  test('a secret typed while OAuth is off replaces nothing', () => {
    const draft = { ...moved, useOAuth: false, clientSecret: 'new' };
    expect(droppedCredentials(draft, stored)).toEqual(['2 headers', 'client secret']);
  });
});
