/**
 * One comment, written once and then kept up to date, against a small GitHub. Every request is held against what the
 * documentation of GitHub's REST API says of it: path, headers and the body of a comment.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import { afterEach, expect, test } from 'vitest';
import { GithubRefusal, githubPull, writeComment } from './github.ts';

/** "Create an issue comment" and "Update an issue comment": one required field. */
const isCommentBody = new Ajv().compile({
  type: 'object',
  properties: { body: { type: 'string', minLength: 1, maxLength: 65_536 } },
  required: ['body'],
  additionalProperties: false,
});

interface Comment {
  id: number;
  body: string;
  user: { type: string };
  author_association: string;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function startGithub(comments: Comment[], refusal?: number) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const url = new URL(request.url ?? '', 'http://github.invalid');
    asked.push(`${method} ${url.pathname}`);
    const answer = (status: number, body: unknown) =>
      response.writeHead(status).end(JSON.stringify(body));
    if (refusal !== undefined) return answer(refusal, { message: 'No.' });
    if (headers.authorization !== 'Bearer ghs_1' || !headers['user-agent']) return answer(401, {});
    if (headers.accept !== 'application/vnd.github+json') return answer(415, {});
    if (method === 'GET' && url.pathname === '/repos/acme/shop/issues/12/comments') {
      const [size, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name)));
      const first = ((page as number) - 1) * (size as number);
      return answer(200, comments.slice(first, first + (size as number)));
    }
    const body = JSON.parse(await text(request));
    if (!isCommentBody(body)) return answer(422, {});
    const said = (body as { body: string }).body;
    if (method === 'POST' && url.pathname === '/repos/acme/shop/issues/12/comments') {
      const made = comment(comments.length + 1, said);
      comments.push(made);
      return answer(201, { ...made, html_url: `https://github.invalid/${made.id}` });
    }
    const id = /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/.exec(url.pathname)?.[1];
    const known = comments.find((one) => one.id === Number(id));
    if (method !== 'PATCH' || known === undefined) return answer(404, {});
    known.body = said;
    return answer(200, { ...known, html_url: `https://github.invalid/${known.id}` });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pull = {
    ...{ token: 'ghs_1', repository: 'acme/shop', number: 12 },
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  return { asked, pull };
}

function comment(id: number, body: string, type = 'Bot', association = 'NONE'): Comment {
  return { id, body, user: { type }, author_association: association };
}

const mark = '<!-- proofmark ste_1 -->';

test('the first report makes a comment, later ones write it anew where it stands', async () => {
  const comments = Array.from({ length: 130 }, (_, at) => comment(at + 1, `Talk ${at}.`));
  const { pull } = await startGithub(comments);
  expect(await writeComment(pull, mark, `${mark}\nFailed.`)).toMatchObject({ isNew: true });
  expect(await writeComment(pull, mark, `${mark}\nPassed.`)).toEqual({
    ...{ isNew: false, address: 'https://github.invalid/131' },
  });
  expect(comments).toHaveLength(131);
  expect(comments[130]?.body).toBe(`${mark}\nPassed.`);
});

test('a comment of a stranger with the mark stays theirs', async () => {
  const comments = [comment(1, `${mark}\nMine!`, 'User', 'CONTRIBUTOR'), comment(2, `See ${mark}`)];
  const { pull } = await startGithub(comments);
  expect(await writeComment(pull, mark, `${mark}\nPassed.`)).toMatchObject({ isNew: true });
  expect(comments.map(({ body }) => body)).toEqual([
    ...[`${mark}\nMine!`, `See ${mark}`, `${mark}\nPassed.`],
  ]);
});

test.each([401, 403, 404])('%i names the permission and not the token', async (status) => {
  const { pull } = await startGithub([], status);
  const refused = await writeComment(pull, mark, mark).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GithubRefusal);
  expect(String(refused)).toContain('pull-requests: write');
  expect(String(refused)).not.toContain('ghs_1');
});

test('which pull request it is stands in the environment', () => {
  const job = { GITHUB_TOKEN: 'ghs_1', GITHUB_REPOSITORY: 'acme/shop' };
  expect(githubPull({ ...job, GITHUB_REF: 'refs/heads/main' })).toBeUndefined();
  expect(githubPull({ ...job, GITHUB_TOKEN: '', GITHUB_REF: 'refs/pull/7/merge' })).toBeUndefined();
  expect(githubPull({ ...job, GITHUB_REF: 'refs/pull/7/merge' })).toMatchObject({
    ...{ number: 7, apiUrl: 'https://api.github.com' },
  });
  expect(() => githubPull({ ...job, GITHUB_REPOSITORY: '../x?' }, 3)).toThrow('owner/name');
});
