import { expect, test } from 'vitest';
import { ciJob } from './ci-job.ts';

test('a job is told by the environment of its CI system', () => {
  expect(ciJob({ GITHUB_SHA: 'of somebody' })).toBeUndefined();
  expect(ciJob({ GITHUB_ACTIONS: 'true', GITHUB_SHA: '4f2a9c1', GITHUB_RUN_ATTEMPT: '2' })).toEqual(
    { provider: 'github', commit: '4f2a9c1', attempt: '2' },
  );
  expect(ciJob({ GITLAB_CI: 'true', CI_COMMIT_SHA: '4f2a9c1', CI_JOB_ID: '77' })).toEqual({
    provider: 'gitlab',
    commit: '4f2a9c1',
    job: '77',
  });
});
