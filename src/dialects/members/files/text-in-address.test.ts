import { describe, expect, it } from 'vitest';
import { textInAddress } from './text-in-address.js';

describe('the text in the URL of a picture or a file', () => {
  it.each([
    ['https://x.example/a.png?email=jane@x.org', 'email=jane@x.org'],
    ['https://x.example/a.png?email=jane%40x.org&size=2', 'email=jane@x.org'],
    ['https://x.example/jane@x.org/a.png', 'jane@x.org'],
    ['https://jane:secret@x.example/a.png', 'jane:secret@x.example'],
    ['https://x.example/a.png?name=Jane+Doe&w=2&of=My%20house', 'name=Jane Doe\nof=My house'],
    ['https://x.example/a.png#Jane%20Doe', 'Jane Doe'],
    ['https://x.example/a.png?ssn=078-05-1120', 'ssn=078-05-1120'],
    ['https://x.example/a.png?tel=%2B15551234567', 'tel=+15551234567'],
    ['gs://bucket/a.pdf?card=4111%201111%201111%201111', 'card=4111 1111 1111 1111'],
  ])('of %s is %j', (address, text) => {
    expect(textInAddress(address)?.text).toBe(text);
  });

  it.each([
    'https://x.example/a.png',
    'https://x.example/John-Smith/photo-1234567890.png?w=1024&h=768',
    'https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20240101%2Fus-east-1&X-Amz-Date=20240101T000000Z&X-Amz-Signature=1f-9',
    'https://a.blob.core.windows.net/c/f?sv=2024-01-01&se=2024-01-01T10%3A00%3A00Z&sig=ab%2Bc%3D',
    'https://cdn.example/v/t39.1-6/550e8400-e29b-41d4-a716-446655440000?_nc=1&oe=65123456789&id=550e8400-e29b-41d4-a716-446655440000',
    'https://x.example/%E0%A4%A',
    'a text with jane@x.org',
    'data:image/png;base64,QUJD',
  ])('is empty in %s', (address) => {
    expect(textInAddress(address)).toBeUndefined();
  });

  it.each([
    ['https://x.example/a.png?email=jane%40x.org&size=2', 'https://x.example/a.png?email=%3CE%3E&size=2'],
    ['https://x.example/jane@x.org/a.png', 'https://x.example/%3CE%3E/a.png'],
    ['https://x.example/a?q=to+jane@x.org&n=a+b#c', 'https://x.example/a?q=to%20%3CE%3E&n=a+b#c'],
  ])('is masked in its place in %s, and the rest of the URL is unchanged', (address, masked) => {
    const { text, encode } = textInAddress(address)!;
    expect(encode(text)).toBe(address);
    expect(encode(text.replace('jane@x.org', '<E>'))).toBe(masked);
    expect(URL.canParse(masked)).toBe(true);
  });

  it('leaves a valid URL even where a mask covers several parts of it', () => {
    const { encode } = textInAddress('https://x.example/a?a=Jane+Doe&b=Main+St')!;
    expect(encode('a=<ALL>')).toBe('https://x.example/a?a=%3CALL%3E&');
  });
});
