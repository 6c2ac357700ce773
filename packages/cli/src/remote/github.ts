import { readFileSync } from 'node:fs';
import { isRecord } from '@proofmark/domain';
import { UsageProblem } from './exit-codes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface GithubPull {
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: string;
  readonly number: number;
}

/**
 * GitHub rejected the comment, for example because the token of a fork's pull request is read-only.
 */
export class GithubRefusal extends Error {}

const commentsOfPage = 100;
const mostPages = 30;
const timeoutMs = 30_000;

/** Returns undefined without a pull request or without a token. */
export function githubPull(environment: Environment, wanted?: number): GithubPull | undefined {
  const number = wanted ?? pullNumber(environment);
  const token = environment['GITHUB_TOKEN'];
  const repository = environment['GITHUB_REPOSITORY'] ?? '';
  if (number === undefined || !token) return undefined;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new UsageProblem('GITHUB_REPOSITORY must name a repository, as owner/name.');
  }
  const apiUrl = (environment['GITHUB_API_URL'] || 'https://api.github.com').replace(/\/+$/, '');
  return { apiUrl, token, repository, number };
}

function pullNumber(environment: Environment): number | undefined {
  const ofRef = /^refs\/pull\/(\d+)\//.exec(environment['GITHUB_REF'] ?? '')?.[1];
  if (ofRef !== undefined) return Number(ofRef);
  const file = environment['GITHUB_EVENT_PATH'];
  const event: unknown = file ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const pull = isRecord(event) ? event['pull_request'] : undefined;
  const number = isRecord(pull) ? pull['number'] : undefined;
  return typeof number === 'number' ? number : undefined;
}

/** Creates or updates the comment that contains `mark`, and returns its address. */
export async function writeComment(
  pull: GithubPull,
  mark: string,
  body: string,
): Promise<{ readonly address: string; readonly isNew: boolean }> {
  const comments = `/repos/${pull.repository}/issues`;
  const id = await findComment(pull, mark);
  const written =
    id === undefined
      ? await ask(pull, 'POST', `${comments}/${pull.number}/comments`, { body })
      : await ask(pull, 'PATCH', `${comments}/comments/${id}`, { body });
  const address = isRecord(written) ? String(written['html_url'] ?? '') : '';
  return { address, isNew: id === undefined };
}

async function findComment(pull: GithubPull, mark: string): Promise<number | undefined> {
  for (let page = 1; page <= mostPages; page += 1) {
    const query = `per_page=${commentsOfPage}&page=${page}`;
    const path = `/repos/${pull.repository}/issues/${pull.number}/comments?${query}`;
    const comments = await ask(pull, 'GET', path);
    if (!Array.isArray(comments)) return undefined;
    const ours = comments.find((one) => isRecord(one) && isOurs(one, mark));
    if (ours !== undefined) return Number(ours.id);
    if (comments.length < commentsOfPage) return undefined;
  }
  return undefined;
}

/**
 * Whether Proofmark wrote the comment. Anyone can write the mark, so the author must also be a bot
 * or have access to the repository.
 */
function isOurs(comment: Readonly<Record<string, unknown>>, mark: string): boolean {
  const { body, user, author_association: association } = comment;
  const isBot = isRecord(user) && user['type'] === 'Bot';
  const isTrusted = isBot || ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(String(association));
  return isTrusted && typeof body === 'string' && body.startsWith(mark);
}

async function ask(pull: GithubPull, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${pull.apiUrl}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${pull.token}`,
      'user-agent': 'proofmark',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => {
    throw new Error(`GitHub could not be reached at ${pull.apiUrl}.`);
  });
  if (answer.ok) return (await answer.json()) as unknown;
  const sentence = `GitHub answered ${answer.status} to ${method} ${path.split('?')[0]}`;
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    throw new GithubRefusal(`${sentence}; give the job the permission pull-requests: write.`);
  }
  throw new Error(`${sentence}.`);
}
