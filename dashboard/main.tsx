import { render } from 'preact';
import { App } from './app/app.tsx';
import { applyTheme } from './app/theme.ts';

applyTheme();
render(<App />, document.getElementById('app') as HTMLElement);
