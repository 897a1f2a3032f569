import { createDetector, STREAM_WINDOW, syncLimit } from '../../pii/index.js';
import { createPiiDetectionPlugin } from './plugin.js';

export const piiDetection = createPiiDetectionPlugin({
  createDetector,
  syncLimit,
  streamWindow: STREAM_WINDOW,
});
