/**
 * The names of plugin versions (or the start of their hash if they have none), and their contents.
 */
import type { PluginVersion } from '@proofmark/contract';

export function versionName(
  version: Pick<PluginVersion, 'declaredVersion' | 'bundleHash'>,
): string {
  return version.declaredVersion ?? shortHash(version.bundleHash);
}

/** Returns the start of a hash, long enough to tell versions apart. */
export function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 10);
}

export function contentsWords({
  servers,
  skills,
}: Pick<PluginVersion, 'servers' | 'skills'>): string {
  const parts = [counted(servers.length, 'server'), counted(skills.length, 'skill')];
  return parts.filter((part) => part !== '').join(' and ') || 'nothing';
}

function counted(count: number, what: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
