/** A plugin version without a declared version is shown as the first characters of its hash. */
import type { PluginVersion } from '@proofmark/contract';

export function versionName(
  version: Pick<PluginVersion, 'declaredVersion' | 'bundleHash'>,
): string {
  return version.declaredVersion ?? shortHash(version.bundleHash);
}

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
