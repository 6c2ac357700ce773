/**
 * A small fake of GitHub with one pull request and its comments. It rejects requests that do not
 * match the published description and checks its own responses against it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type GithubOperationName,
  githubAnswerProblem,
  readGithubRequest,
  smallestGithub,
} from './rest-api.ts';

export interface GithubComment {
  readonly id: number;
  body: string;
  readonly user: object;
  readonly author_association: string;
}

export interface PlayedGithub {
  readonly url: string;
  readonly comments: GithubComment[];
  readonly asked: readonly string[];
  readonly problems: readonly string[];
  refuse(status: number | undefined): void;
  stop(): Promise<void>;
}

/**
 * Characters. GitHub reports this limit only when a comment is longer; the published description
 * lacks it.
 */
const longestComment = 65_536;

export function playedComment(id: number, body: string, by = 'Bot', association = 'NONE') {
  const user = { ...smallestGithub('simple-user'), type: by };
  const html_url = `https://github.invalid/acme/shop/pull/12#issuecomment-${id}`;
  return {
    ...smallestGithub('issue-comment'),
    id,
    body,
    user,
    author_association: association,
    html_url,
  };
}

export async function startGithub(
  token: string,
  comments: GithubComment[] = [],
): Promise<PlayedGithub> {
  const asked: string[] = [];
  const problems: string[] = [];
  let refusal: number | undefined;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://github.invalid');
    const method = request.method ?? '';
    asked.push(`${method} ${url.pathname}`);
    const sent = await text(request);
    const body: unknown = sent === '' ? undefined : JSON.parse(sent);
    const { operation, path, problems: wrong } = readGithubRequest({ method, url, body });
    problems.push(...wrong, ...headerProblems(request.headers, token));
    const answer = (status: number, value: unknown) => {
      const problem = operation && githubAnswerProblem(operation, status, value);
      if (problem !== undefined) problems.push(`the answer ${status}: ${problem}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (refusal !== undefined) return response.writeHead(refusal).end('{"message":"No."}');
    if (operation === undefined || wrong.length > 0) return response.writeHead(422).end('{}');
    const comment = String((body as { body?: string } | undefined)?.body ?? '');
    if (comment.length > longestComment) problems.push('the comment is too long');
    return answer(...played[operation](comments, path, url.searchParams, comment));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    comments,
    asked,
    problems,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse(status) {
      refusal = status;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type Played = (
  comments: GithubComment[],
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
  comment: string,
) => readonly [status: number, answer: unknown];

const nothing = [404, { message: 'Not Found', status: '404' }] as const;
const isOfPull = ({ owner, repo, issue_number: number = '12' }: Readonly<Record<string, string>>) =>
  owner === 'acme' && repo === 'shop' && number === '12';

const played: Readonly<Record<GithubOperationName, Played>> = {
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': (comments, path, query) => {
    if (!isOfPull(path)) return nothing;
    const size = Math.min(100, Number(query.get('per_page') ?? 30));
    const first = (Number(query.get('page') ?? 1) - 1) * size;
    return [200, comments.slice(first, first + size)];
  },
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': (comments, path, _, comment) => {
    if (!isOfPull(path)) return nothing;
    const made = playedComment(comments.length + 1, comment);
    comments.push(made);
    return [201, made];
  },
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': (comments, path, _, comment) => {
    const known = comments.find(({ id }) => id === Number(path['comment_id']));
    if (!isOfPull(path) || known === undefined) return nothing;
    known.body = comment;
    return [200, known];
  },
};

/** GitHub requires the `user-agent` header, and recommends `accept` and `x-github-api-version`. */
function headerProblems(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  token: string,
): string[] {
  const expected = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  };
  const wrong = Object.entries(expected).filter(([name, value]) => headers[name] !== value);
  const unnamed = headers['user-agent'] ? [] : ['user-agent is missing'];
  return [...wrong.map(([name]) => `${name} is wrong`), ...unnamed];
}
