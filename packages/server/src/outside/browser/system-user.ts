/** Returns undefined if the file has no user of this name. */
import { readFileSync } from 'node:fs';
import type { SystemUser } from '@proofmark/domain';

export function systemUser(name: string, file = '/etc/passwd'): SystemUser | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const [, , uid, gid] = lines.map((line) => line.split(':')).find(([one]) => one === name) ?? [];
  const [userId, groupId] = [Number(uid), Number(gid)];
  // Returns undefined for root, because a browser of root cannot have a sandbox.
  const isOther = Number.isInteger(userId) && Number.isInteger(groupId) && userId > 0;
  return isOther ? { name, uid: userId, gid: groupId } : undefined;
}
