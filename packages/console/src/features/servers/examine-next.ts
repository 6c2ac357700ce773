/**
 * Ids of servers that were just saved. The page of such a server examines it once automatically.
 */
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
