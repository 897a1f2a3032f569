/** One SSE frame. `event` is absent where the stream gave none. `data` is the joined data lines. */
export interface SseFrame {
  event?: string;
  data: string;
}
