type Resolved = import('@proofmark/server').ResolvedSettings;

export async function settingsOf(flags: Readonly<Record<string, unknown>>): Promise<Resolved> {
  const { resolveSettings } = await import('@proofmark/server');
  return resolveSettings(flags, process.env);
}
