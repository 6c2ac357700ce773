import {
  type PlayedGithub,
  playedComment,
  startGithub,
} from '@proofmark/harness/github/start-github.ts';
import { afterEach, expect, test } from 'vitest';
import { GithubRefusal, githubPull, writeComment } from './github.ts';

const started: PlayedGithub[] = [];
afterEach(async () => {
  for (const github of started.splice(0)) {
    expect(github.problems).toEqual([]);
    await github.stop();
  }
});

async function pullWith(comments: Parameters<typeof startGithub>[1] = []) {
  const github = await startGithub('ghs_1', comments);
  started.push(github);
  const pull = { token: 'ghs_1', repository: 'acme/shop', number: 12, apiUrl: github.url };
  return { github, pull };
}

const mark = '<!-- proofmark ste_1 -->';

test('the first report makes a comment, later ones write it anew where it stands', async () => {
  const talk = Array.from({ length: 130 }, (_, at) => playedComment(at + 1, `Talk ${at}.`));
  const { github, pull } = await pullWith(talk);
  expect(await writeComment(pull, mark, `${mark}\nFailed.`)).toMatchObject({ isNew: true });
  expect(await writeComment(pull, mark, `${mark}\nPassed.`)).toEqual({
    isNew: false,
    address: 'https://github.invalid/acme/shop/pull/12#issuecomment-131',
  });
  expect(github.comments).toHaveLength(131);
  expect(github.comments[130]?.body).toBe(`${mark}\nPassed.`);
});

test('a comment of a stranger with the mark stays theirs', async () => {
  const { github, pull } = await pullWith([
    playedComment(1, `${mark}\nMine!`, 'User', 'CONTRIBUTOR'),
    playedComment(2, `See ${mark}`),
  ]);
  expect(await writeComment(pull, mark, `${mark}\nPassed.`)).toMatchObject({ isNew: true });
  expect(github.comments.map(({ body }) => body)).toEqual([
    ...[`${mark}\nMine!`, `See ${mark}`, `${mark}\nPassed.`],
  ]);
});

test.each([401, 403, 404])('%i names the permission and not the token', async (status) => {
  const { github, pull } = await pullWith();
  github.refuse(status);
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
    number: 7,
    apiUrl: 'https://api.github.com',
  });
  expect(() => githubPull({ ...job, GITHUB_REPOSITORY: '../x?' }, 3)).toThrow('owner/name');
});
