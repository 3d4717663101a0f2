"""Sentences in many scripts, from which the small vocabularies of the comparison are learned."""

SENTENCES = """The animal didn't cross the street because it was too tired.
The cat sat on the mat, and the dog slept beside it. They've slept there before; she'll see.
When Mary and John went to the store, John gave a drink to Mary. I'd say they're happy.
Attention is all you need: each head looks at the sentence in its own way.
Queries meet keys, the scores are scaled and the softmax turns them into weights.
HELLO WORLD! Hello, world? "Yes," he said (twice) - and then...  he left.
In 2024 there were 12,345 people; 3.14159 is 100% less than $5.00 or 7e-3.
def scale(values, by=2):\n    return [value * by for value in values]  # twice
Visit https://example.org/a_b?c=1&d=2 or write to someone@example.org today.
New York and San Francisco are far from New Orleans. The New World is new.
Der Fluß fließt über die Straße; Größe, Öl und Übermut tun selten gut.
Le garçon naïf a déjà mangé une crème brûlée à Noël, où ça ? Là-bas, près d’ici.
El niño pequeño comió piñas ayer por la mañana. ¿Qué pasó? ¡Nada!
İstanbul'da ılık bir gün: ışık, çiçek ve şeker. Iğdır.
Příliš žluťoučký kůň úpěl ďábelské ódy. Łódź, Gdańsk i Kraków.
Việt Nam có nhiều món ăn ngon: phở, bánh mì, bún chả.
Мама мыла раму, а кошка спала на тёплой печи. Ёлка, йод и подъезд.
Η γάτα κάθισε στο χαλί. Ὀδυσσεύς· ὁδός, ΣΊΣΥΦΟΣ.
גן גדול וְיָפֶה ליד הבית שלנו. שלום עולם!
القطة جلست على السجادة. مَرْحَبًا بِكُم في العالم ١٢٣
बिल्ली चटाई पर बैठी है। नमस्ते दुनिया १२३
แมวนั่งบนเสื่อ และสุนัขนอนหลับ ๑๒๓
猫が座った。東京タワーは高いです。カタカナとひらがな、ｶﾞｷﾞ。
猫坐在垫子上，狗睡着了。天地玄黃，宇宙洪荒。
고양이가 매트 위에 앉았다. 안녕하세요 세계!
კატა ხალიჩაზე ზის. Կատուն նստեց։ ድመቷ ምንጣፉ ላይ ተቀመጠች።
😀 👍🏽 👩‍👩‍👧 🇩🇪🇯🇵 ❤️ 1️⃣ ✓ → ∑ ½ ² Ⅷ ™ © № ﬁ ﬀ ㎏ Ａ１ ① ∞ ≠
the the the of of and and in in to to a a is it that was for on are as with his they
""".splitlines()
