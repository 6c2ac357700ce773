/**
 * The rooms of a renderer: one that is kept warm while widgets come, and one for each widget that is shown alone. None is
 * started before it is needed, and a warm one ends when nobody came for a while.
 */
import { BrowserRoom } from './browser-room.ts';
import type { RoomSettings } from './room-messages.ts';

/** A browser grows with the pages it has shown. */
const mostPages = 500;

export class Rooms {
  readonly #settings: RoomSettings;
  readonly #idleMs: number;
  readonly #all = new Set<BrowserRoom>();
  #warm: Promise<BrowserRoom> | undefined;
  #pages = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: RoomSettings, idleMs: number) {
    this.#settings = settings;
    this.#idleMs = idleMs;
  }

  /** Shared with others. Throws BrowserLost where none can be started. */
  async warm(): Promise<BrowserRoom> {
    clearTimeout(this.#timer);
    const room = await this.#warm?.catch(() => undefined);
    if (room !== undefined && !room.isOver && this.#pages < mostPages) {
      this.#pages += 1;
      return room;
    }
    // Whoever came first starts it.
    if (room === undefined || (await this.#warm) === room) {
      this.#retire(room);
      this.#pages = 0;
      this.#warm = this.fresh();
    }
    this.#pages += 1;
    return this.#warm as Promise<BrowserRoom>;
  }

  /** For one alone, who ends it. */
  async fresh(): Promise<BrowserRoom> {
    if (this.#isClosed) throw new Error('The renderer is closed.');
    const room = await BrowserRoom.start(this.#settings);
    this.#all.add(room);
    void room.ended.then(() => this.#all.delete(room));
    return room;
  }

  /** After a page was left, in good order or not. */
  async left(room: BrowserRoom, isClean: boolean): Promise<void> {
    const isWarm = (await this.#warm?.catch(() => undefined)) === room;
    if (!isClean && isWarm) this.#warm = undefined;
    if (room.guests > 0) return;
    if (!isClean || !isWarm) return room.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retire(room), this.#idleMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#warm?.catch(() => undefined);
    const ending = [...this.#all].map((room) => {
      room.end();
      return room.ended;
    });
    await Promise.all(ending);
  }

  #retire(room: BrowserRoom | undefined): void {
    this.#warm = undefined;
    if (room?.guests === 0) room.end();
  }
}
