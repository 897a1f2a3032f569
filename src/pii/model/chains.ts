/** Runs of capitalised words, with what joins them: `Bank of England`, `J. Smith`, `Aix-en-Provence`. */
import { CLASS_LETTER, CLASS_UPPER } from './characters.js';
import type { Sentence } from './sentence.js';
import { PAD } from './tokenize.js';

/** For each token of a run of capitalised words: the words before and after the run, its first and last, its length. */
export function markChains(sentence: Sentence, text: string): void {
  const { tokens, word, before, after, chain, cluster, beforeCluster, afterCluster } = sentence;
  const { first, last, firstCluster, lastCluster } = sentence;
  for (let i = 0; i < tokens.count; ) {
    if (tokens.kind[i] !== CLASS_UPPER) {
      before[i + PAD] = word[i + PAD - 1]!;
      after[i + PAD] = word[i + PAD + 1]!;
      beforeCluster[i + PAD] = cluster[i + PAD - 1]!;
      afterCluster[i + PAD] = cluster[i + PAD + 1]!;
      chain[i + PAD] = 0;
      first[i + PAD] = 0;
      last[i + PAD] = 0;
      firstCluster[i + PAD] = 0;
      lastCluster[i + PAD] = 0;
      i++;
      continue;
    }
    let end = i + 1;
    while (end < tokens.count && continuesChain(sentence, text, end)) end++;
    while (end > i + 1 && tokens.kind[end - 1] !== CLASS_UPPER) end--;
    for (let j = i; j < end; j++) {
      before[j + PAD] = word[i + PAD - 1]!;
      after[j + PAD] = word[end + PAD]!;
      beforeCluster[j + PAD] = cluster[i + PAD - 1]!;
      afterCluster[j + PAD] = cluster[end + PAD]!;
      first[j + PAD] = word[i + PAD]!;
      last[j + PAD] = word[end + PAD - 1]!;
      firstCluster[j + PAD] = cluster[i + PAD]!;
      lastCluster[j + PAD] = cluster[end + PAD - 1]!;
      const position = j === i ? 0 : j === end - 1 ? 2 : 1;
      chain[j + PAD] = 1 + Math.min(end - i, 6) * 3 + position;
    }
    i = end;
  }
}

function continuesChain({ tokens }: Sentence, text: string, i: number): boolean {
  if (tokens.kind[i] === CLASS_UPPER) return true;
  const unit = text.charCodeAt(tokens.start[i]!);
  if (isJoinUnit(text, tokens.start[i]!)) return tokens.start[i] === tokens.end[i - 1];
  const followsInitial = unit === 0x2e && tokens.end[i - 1]! - tokens.start[i - 1]! <= 1;
  const isParticle = tokens.kind[i] === CLASS_LETTER && tokens.end[i]! - tokens.start[i]! <= 3;
  return followsInitial || (isParticle && tokens.kind[i + 1] === CLASS_UPPER && i + 1 < tokens.count);
}

/** A hyphen or an apostrophe. */
export function isJoinUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 0x2d || unit === 0x27 || unit === 0x2019;
}
