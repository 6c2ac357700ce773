/**
 * The rooms of a renderer: one that is kept warm while widgets come, and one for each widget that is shown alone. None is
 * started before it is needed, and a warm one ends when nobody came for a while.
 */
import { BrowserRoom } from './browser-room.ts';
import { removeOldRoomFolders } from './room-folders.ts';
import type { RoomSettings } from './room-messages.ts';

/** A browser grows with the pages it has shown. */
const mostPages = 500;

interface WarmRoom {
  readonly starting: Promise<BrowserRoom>;
  /** Once it has started. */
  room: BrowserRoom | undefined;
  /** How many came to it. */
  pages: number;
}

export class Rooms {
  readonly #settings: RoomSettings;
  readonly #idleMs: number;
  readonly #all = new Set<BrowserRoom>();
  #warm: WarmRoom | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isSwept = false;

  constructor(settings: RoomSettings, idleMs: number) {
    this.#settings = settings;
    this.#idleMs = idleMs;
  }

  /** Shared with others. Throws BrowserLost where none can be started. */
  warm(): Promise<BrowserRoom> {
    clearTimeout(this.#timer);
    const known = this.#warm;
    if (known !== undefined && known.room?.isOver !== true && known.pages < mostPages) {
      known.pages += 1;
      return known.starting;
    }
    this.#retire(known?.room);
    const warm: WarmRoom = { starting: this.fresh(), room: undefined, pages: 1 };
    this.#warm = warm;
    warm.starting.then(
      (room) => {
        warm.room = room;
      },
      () => {
        if (this.#warm === warm) this.#warm = undefined;
      },
    );
    return warm.starting;
  }

  /** For one alone, who ends it. */
  async fresh(): Promise<BrowserRoom> {
    if (this.#isClosed) throw new Error('The renderer is closed.');
    if (!this.#isSwept) void removeOldRoomFolders();
    this.#isSwept = true;
    const room = await BrowserRoom.start(this.#settings);
    this.#all.add(room);
    void room.ended.then(() => this.#all.delete(room));
    return room;
  }

  /** After a page was left, in good order or not. */
  left(room: BrowserRoom, isClean: boolean): void {
    const isWarm = this.#warm?.room === room;
    if (!isClean && isWarm) this.#warm = undefined;
    if (room.guests > 0) return;
    if (!isClean || !isWarm) {
      room.end();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retire(room), this.#idleMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#warm?.starting.catch(() => undefined);
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
