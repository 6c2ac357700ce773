import { bytesText, count, creditsText, grouped, type LimitName } from '@proofmark/domain';

const units: Readonly<Partial<Record<LimitName, string>>> = {
  trialsPerDay: 'trial',
  insightsPerDay: 'request',
  generationsPerDay: 'draft',
  agentTurnsPerDay: 'turn',
  journeyRunsPerDay: 'run',
  openRuns: 'run',
};

export function amountText(name: LimitName, amount: number): string {
  if (name === 'credits') return creditsText(amount);
  if (name === 'storedBytes' || name === 'uploadBytesPerDay') return bytesText(amount);
  const unit = units[name];
  return unit === undefined ? grouped(amount) : count(amount, unit);
}

export function spanText(name: LimitName): string {
  if (name === 'storedBytes') return 'in all';
  return name === 'openRuns' ? 'now' : 'today';
}

interface Standing {
  readonly name: LimitName;
  readonly used: number;
  readonly reserved: number;
  readonly allowed: number | null;
}

export function usedText({ name, used, reserved, allowed }: Standing): string {
  // Without a limit, the service may not count the usage, so 0 may be wrong.
  if (used === 0 && allowed === null) return 'not counted without a limit';
  const aside = reserved > 0 ? `, and ${amountText(name, reserved)} set aside` : '';
  return `${amountText(name, used)} ${spanText(name)}${aside}`;
}
