/** Servers that were just saved: the page that opens next examines them, until it knows how they are. */
const waiting = new Set<string>();

export function examineNext(serverId: string): void {
  waiting.add(serverId);
}

export function isToExamine(serverId: string): boolean {
  return waiting.has(serverId);
}

export function wasExamined(serverId: string): void {
  waiting.delete(serverId);
}
